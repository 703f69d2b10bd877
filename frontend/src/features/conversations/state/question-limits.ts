/** The longest question, as in the contract. */
export const longestQuestion = 32_000;

/** The most waiting questions of a chat, as in the contract. */
export const mostQueued = 20;

/** The most files of one question, as in the contract. */
export const mostFiles = 20;

/** The largest file, as in the contract. */
export const largestFileBytes = 50_000_000;
