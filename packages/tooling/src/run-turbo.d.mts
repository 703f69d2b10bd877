export function runTurbo(task: string): number;
