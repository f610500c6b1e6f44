/** Name under which the browser keeps the bearer of its session. */
export const SESSION_KEY = "manuscript.session";
