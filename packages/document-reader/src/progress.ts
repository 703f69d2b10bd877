/** How many parts (pages) are read, and of how many. */
export type Progress = (done: number, of: number) => void;
