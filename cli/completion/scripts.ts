const BASH = `# Completion of espalier for bash.
_espalier() {
  local IFS=$'\\n'
  COMPREPLY=($(espalier complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
  local i
  for i in "\${!COMPREPLY[@]}"; do COMPREPLY[i]=$(printf '%q' "\${COMPREPLY[i]}"); done
}
complete -o default -F _espalier espalier
`;

const ZSH = `#compdef espalier
# Completion of espalier for zsh.
_espalier() {
  local -a found
  found=("\${(@f)$(espalier complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if (( \${#found} )) && [[ -n "\${found[1]}" ]]; then compadd -a found; else _files; fi
}
compdef _espalier espalier
`;

const FISH = `# Completion of espalier for fish.
function __espalier_complete
    set -l words (commandline -opc) (commandline -ct)
    espalier complete -- $words[2..-1] 2>/dev/null
end
complete -c espalier -f -a '(__espalier_complete)'
complete -c espalier -n 'test -z (__espalier_complete)' -F
`;

/** By shell. */
export const SCRIPTS: Readonly<Record<string, string>> = { bash: BASH, zsh: ZSH, fish: FISH };
