import type { ReadingService, ServiceHealth } from '@parley/contracts';

export type HealthFigures = {
  readonly behind: number;
  /** Who has most to read; null where nobody is late. */
  readonly mostBehind: ReadingService | null;
  /** Of all services together, and the oldest; null while none answers. */
  readonly outbox: { readonly waiting: number; readonly oldestMs: number } | null;
  readonly letters: number;
  readonly parkedKeys: number;
  readonly attempts: number;
  readonly failed: number;
  readonly cut: number;
};

/** Fewer than so many are under way, not late. */
export const lateFrom = 100;

/** The services that answer, added up. */
export function figuresOf({ services, providers }: ServiceHealth): HealthFigures {
  const told = services.flatMap(({ service, events }) => (events ? [{ service, ...events }] : []));
  const late = told
    .map(({ service, readers }) => ({ service, behind: sum(readers.map(({ behind }) => behind)) }))
    .toSorted((one, other) => other.behind - one.behind);
  const most = late[0];
  return {
    behind: sum(late.map(({ behind }) => behind)),
    mostBehind: most && most.behind >= lateFrom ? most.service : null,
    outbox:
      told.length === 0
        ? null
        : {
            waiting: sum(told.map(({ outbox }) => outbox.waiting)),
            oldestMs: Math.max(...told.map(({ outbox }) => outbox.oldestMs)),
          },
    letters: sum(told.map(({ letterCount }) => letterCount)),
    parkedKeys: sum(told.map(({ parkedKeys }) => parkedKeys)),
    attempts: sum(providers.map(({ attempts }) => attempts)),
    failed: sum(providers.map(({ failed }) => failed)),
    cut: sum(providers.map(({ cut }) => cut)),
  };
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
