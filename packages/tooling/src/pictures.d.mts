export declare const picturesFile: string;
export function hashOfScreen(home: string, folders: readonly string[]): string;
export function oldPictures(home: string): string | null;
