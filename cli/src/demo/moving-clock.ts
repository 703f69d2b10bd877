/**
 * The clock of this process, so that a month of use can pass in it. Only `parley demo` sets it, in a process of its
 * own. Timers and all that uses the monotonic clock aren't affected.
 */
export class MovingClock {
  private aheadMs = 0;
  private readonly real = Date;

  constructor() {
    const { real } = this;
    const now = () => real.now() + this.aheadMs;
    globalThis.Date = new Proxy(real, {
      construct: (target, given: unknown[], made: NewableFunction) =>
        Reflect.construct(target, given.length === 0 ? [now()] : given, made) as Date,
      get: (target, name) => (name === 'now' ? now : (Reflect.get(target, name) as unknown)),
    });
  }

  /** The time of the machine. */
  readonly machineNow = (): number => this.real.now();

  /** Never goes back: where the time is later already, it stays. */
  setTo(time: number): void {
    this.aheadMs += Math.max(0, time - Date.now());
  }

  /** The only step back: to the beginning of what is played. */
  beginAt(time: number): void {
    this.aheadMs += time - Date.now();
  }

  pass(ms: number): void {
    this.aheadMs += ms;
  }

  /** From now on it is the time of the machine again. */
  release(): void {
    this.aheadMs = 0;
    globalThis.Date = this.real;
  }
}
