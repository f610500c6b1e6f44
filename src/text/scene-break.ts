/** Signs that programs without a scene break of their own put between scenes: "#", "* * *", "***", "⁂", "~". */
export const SCENE_BREAK: RegExp = /^\s*(?:#|⁂|~|(?:[*•·]\s*){3,}|(?:#\s+){2,}#|[-–—]\s?[-–—]\s?[-–—])\s*$/u;
