/** What each closed set of words of the contract holds, in the order that messages list them. */
export const STATUSES = ["draft", "revising", "done"] as const;
export const SNIPPET_KINDS = ["note", "reference", "todo", "research"] as const;
export const TIERS = ["read", "ai", "write"] as const;
export const FORMATS = ["text", "doc", "markdown"] as const;
export const BLOCK_STATUSES = ["kept", "moved", "edited", "new"] as const;
export const DROP_REASONS = ["edited", "removed", "markdown", "unmarked", "unknown_fact"] as const;
