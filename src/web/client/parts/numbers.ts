const NUMBER = new Intl.NumberFormat("en");
const DAY = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "long", year: "numeric" });
const SHORT_DAY = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short" });
const TIME = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit" });

/** A count as it is read: 16,376. */
export function number(value: number): string {
  return NUMBER.format(value);
}

/** A count with its noun: "1 word", "2 words". */
export function counted(value: number, one: string, many = `${one}s`): string {
  return `${number(value)} ${value === 1 ? one : many}`;
}

/** A calendar day in full: 30 June 2027. */
export function day(date: string): string {
  return DAY.format(new Date(`${date.slice(0, 10)}T12:00:00`));
}

/** A calendar day without its year: 23 Oct. */
export function shortDay(date: string): string {
  return SHORT_DAY.format(new Date(`${date.slice(0, 10)}T12:00:00`));
}

/** A moment's time of day: 09:04. */
export function clock(time: string): string {
  return TIME.format(new Date(time));
}

/** When something was, as one says it: the time of today, "yesterday", or the day. */
export function when(time: string): string {
  const then = new Date(time);
  const midnight = new Date();
  midnight.setHours(0, 0, 0, 0);
  if (then >= midnight) return clock(time);
  if (midnight.getTime() - then.getTime() < 86_400_000) return `yesterday, ${clock(time)}`;
  return DAY.format(then);
}

const UNITS = ["bytes", "kB", "MB", "GB", "TB"] as const;

/** A size in bytes as it is read: 3.2 MB, in powers of 1000 as disks are sold. */
export function size(bytes: number): string {
  const power = Math.min(UNITS.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)));
  const value = bytes / 1000 ** power;
  return `${power === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${UNITS[power]}`;
}
