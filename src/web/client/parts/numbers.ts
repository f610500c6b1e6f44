// Written out here: the first `Intl` formatters cost the browser some 20 ms before anything is shown.
const MONTHS = "January February March April May June July August September October November December".split(
  " ",
);

/** A whole number as it is read: 16,376. */
export function number(value: number): string {
  return String(value).replace(/\B(?=(?:\d{3})+$)/g, ",");
}

/** A count with its noun: "1 word", "2 words". */
export function counted(value: number, one: string): string {
  return `${number(value)} ${value === 1 ? one : `${one}s`}`;
}

/** A calendar day in full: 30 June 2027. */
export function day(date: string): string {
  const [year, month, ofMonth] = date.slice(0, 10).split("-");
  return `${Number(ofMonth)} ${MONTHS[Number(month) - 1]} ${year}`;
}

/** A calendar day without its year: 23 Oct. */
export function shortDay(date: string): string {
  return /^\d+ .{3}/.exec(day(date))?.[0] ?? "";
}

/** The calendar day here at a moment, as dates are written: 2027-06-30. */
export function localDay(date: Date): string {
  const two = (value: number) => String(value).padStart(2, "0");
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** A moment's time of day: 09:04. */
export function clock(time: string): string {
  return new Date(time).toTimeString().slice(0, 5);
}

/** When something was, as one says it: the time of today, "yesterday", or the day. */
export function when(time: string): string {
  const then = new Date(time);
  const midnight = new Date();
  midnight.setHours(0, 0, 0, 0);
  if (then >= midnight) return clock(time);
  if (midnight.getTime() - then.getTime() < 86_400_000) return `yesterday, ${clock(time)}`;
  return day(localDay(then));
}
