import { afterEach, beforeEach, jest } from '@jest/globals';
import { act } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';

/** For a `describe` whose tests let time pass. Gives a person who types in that time. */
export function withPassingTime() {
  beforeEach(() => {
    jest.useFakeTimers({ advanceTimers: true });
  });
  afterEach(() => {
    window.dispatchEvent(new Event('online'));
    jest.useRealTimers();
  });
  return userEvent.setup({ advanceTimers: (ms) => jest.advanceTimersByTime(ms) });
}

/** The connection is gone, until what is shown is old. */
export async function loseConnectionForLong(): Promise<void> {
  await act(async () => window.dispatchEvent(new Event('offline')));
  await act(() => jest.advanceTimersByTimeAsync(15_000));
}
