/** A command's answer without times, `act` and the file set aside, and with ids named by the order in which they come: what two runs have in common. */
export function withoutIds(json: string): unknown {
  const names = new Map<string, string>();
  const named = json
    .replace(/"\d{4}-\d\d-\d\dT[\d:.]+Z"/g, '"a moment"')
    .replace(/\b[a-z]{1,4}_[0-9a-z]{16}\b/g, (id) => {
      const name = names.get(id) ?? `id ${names.size + 1}`;
      names.set(id, name);
      return name;
    });
  const { act: _, written: __, aside: ___, ...answer } = JSON.parse(named) as Record<string, unknown>;
  return answer;
}
