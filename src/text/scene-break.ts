/** What stands between two scenes where a program has no sign of its own for it: "#", "* * *", "***", "⁂", "~". */
export const SCENE_BREAK: RegExp = /^\s*(?:#|⁂|~|(?:[*•·]\s*){3,}|(?:#\s+){2,}#|[-–—]\s?[-–—]\s?[-–—])\s*$/u;
