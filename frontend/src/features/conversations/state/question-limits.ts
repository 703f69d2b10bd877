/** Characters of a question at most, as the contract has it. */
export const longestQuestion = 32_000;

/** Questions that can wait in one chat, as the contract has it. */
export const mostQueued = 20;

/** Files of one question, as the contract has it. */
export const mostFiles = 20;

/** Of one file, as the contract has it. */
export const largestFileBytes = 50_000_000;
