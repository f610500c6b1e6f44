/** Returns a file's name with another ending, numbered from the second on, cut to the 255 bytes of file systems. */
export function nameBeside(file: string, count = 1): string {
  const ending = count === 1 ? ".conflict.md" : `.conflict.${count}.md`;
  const [, folders = "", stem = ""] = /^(.*\/)?([^/]*?)(?:\.[^./\\]*)?$/s.exec(file) ?? [];
  const letters = [...stem];
  while (Buffer.byteLength(letters.join("")) > 255 - ending.length) letters.pop();
  return `${folders}${letters.join("")}${ending}`;
}
