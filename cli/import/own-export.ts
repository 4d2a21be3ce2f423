/** Whether a text that begins so is an exported workspace: its first line is a head record. */
export function startsOwnExport(text: string): boolean {
  // A byte order mark counts as white space.
  return /^\s*\{\s*"kind"\s*:\s*"head"/.test(text);
}
