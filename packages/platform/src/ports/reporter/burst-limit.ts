const windowMs = 60_000;
/** Limits the error reports of a minute, because more reports say nothing new. */
const mostPerWindow = 20;

/** Lets `mostPerWindow` reports through in a minute, and reports once for each minute with more. */
export class BurstLimit {
  private window = { beganAt: 0, reports: 0 };

  constructor(private readonly onFull: (limit: { mostPerWindow: number; windowMs: number }) => void) {}

  lets(now = performance.now()): boolean {
    if (now - this.window.beganAt > windowMs) this.window = { beganAt: now, reports: 0 };
    this.window.reports += 1;
    if (this.window.reports === mostPerWindow + 1) this.onFull({ mostPerWindow, windowMs });
    return this.window.reports <= mostPerWindow;
  }
}
