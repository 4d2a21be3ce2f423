// Bash also breaks words at @ : =, and replaces only the part after the last of them; an @ is replaced with it
// (`rl_special_prefixes` of readline).
const BASH = `# Completion of espalier for bash.
_espalier() {
  local IFS=$'\\n' i word whole= rest=$COMP_LINE words=()
  for ((i = 0; i <= COMP_CWORD; i++)); do
    word=\${COMP_WORDS[i]}
    if ((i > 0)) && [[ -n $COMP_LINE && $rest != [[:space:]]* ]]; then
      words[\${#words[@]}-1]+=$word
    else
      words+=("$word")
    fi
    rest=\${rest#"\${rest%%[![:space:]]*}"}
    rest=\${rest#"$word"}
  done
  whole=\${words[\${#words[@]}-1]}
  local breaks=\${COMP_WORDBREAKS//[!@:=]/} kept=
  [[ -n $breaks ]] && kept=\${whole%"\${whole##*[$breaks]}"}
  kept=\${kept%@}
  kept=\${kept//\\\\/}
  # Inside an open quote a name stands as it is; one that would end the quote, or be more than text in it, is left out.
  local typed=\${COMP_WORDS[COMP_CWORD]} unsafe=
  case $typed in
    \\'*) unsafe=\\' ;;
    '"'*) unsafe='"$\`\\!' ;;
  esac
  [[ -n $unsafe ]] && kept=\${whole%"$typed"}
  COMPREPLY=()
  while IFS= read -r word; do
    word=\${word%%$'\\t'*}
    word=\${word#"$kept"}
    if [[ -z $word ]]; then continue
    elif [[ -z $unsafe ]]; then COMPREPLY+=("$(printf '%q' "$word")")
    elif [[ $word != *["$unsafe"]* ]]; then COMPREPLY+=("$word")
    fi
  done < <(espalier complete --quoted -- "\${words[@]:1}" 2>/dev/null)
  # After PAGE= the level follows at once.
  [[ \${#COMPREPLY[@]} -eq 1 && \${COMPREPLY[0]} == *= ]] && compopt -o nospace 2>/dev/null
  return 0
}
complete -o default -F _espalier espalier
`;

const ZSH = `#compdef espalier
# Completion of espalier for zsh.
_espalier() {
  local -a lines found shown
  local line
  lines=("\${(@f)$(espalier complete --quoted -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  for line in "\${(@)lines}"; do
    [[ -z $line ]] && continue
    found+=("\${line%%$'\\t'*}")
    shown+=("\${line/$'\\t'/  -- }")
  done
  if (( \${#found} )); then compadd -l -d shown -a found; else _files; fi
}
# In a folder of fpath this file is the function, which is called as it is loaded.
if [[ $funcstack[1] == _espalier ]]; then _espalier "$@"; else compdef _espalier espalier; fi
`;

const FISH = `# Completion of espalier for fish.
function __espalier_complete
    set -l words (commandline -opc) (commandline -ct | string replace -r '^["\\']' '')
    espalier complete -- $words[2..-1] 2>/dev/null
end
complete -c espalier -f -a '(__espalier_complete)'
complete -c espalier -n 'not count (__espalier_complete) > /dev/null' -F
`;

/** By shell. */
export const SCRIPTS: Readonly<Record<string, string>> = { bash: BASH, zsh: ZSH, fish: FISH };
