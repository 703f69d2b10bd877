export function checkDocs(home: string, files?: string[]): { faults: string[]; open: string[] };
export function checkMentions(home: string): string[];
