import { Injectable } from '@nestjs/common';

/** Counts the answers of this process whose first word is still to come: titles wait for them. */
@Injectable()
export class FirstWords {
  private awaited = 0;

  get areAwaited(): boolean {
    return this.awaited > 0;
  }

  /** Counts one. Call the result once its first word is there or none will come; calling it again changes nothing. */
  expect(): () => void {
    let isAwaited = true;
    this.awaited += 1;
    return () => {
      if (isAwaited) this.awaited -= 1;
      isAwaited = false;
    };
  }
}
