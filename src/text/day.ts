/** Whether a text is a day of the calendar, `YYYY-MM-DD`: the 30th of February is none. */
export function isDay(text: string): boolean {
  return (
    /^\d{4}-\d{2}-\d{2}$/.test(text) && new Date(`${text}T00:00:00Z`).toJSON()?.startsWith(text) === true
  );
}
