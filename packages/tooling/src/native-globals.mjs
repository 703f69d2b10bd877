// What `@jest/globals` is to specs that run natively: each name leads to the file that runs now.
let now;

/** Takes what circus made for the file that runs next. */
export function useGlobals(given, tools) {
  now = { ...given, jest: jestOf(tools) };
}

const jestOf = ({ mocker, timers, mocked, neverFaked }) => ({
  fn: mocker.fn.bind(mocker),
  spyOn: mocker.spyOn.bind(mocker),
  replaceProperty: mocker.replaceProperty.bind(mocker),
  unstable_mockModule: (specifier, make) => mocked.set(specifier, make()),
  restoreAllMocks: () => mocker.restoreAllMocks(),
  useFakeTimers: (options) =>
    timers.useFakeTimers({ ...options, doNotFake: [...neverFaked, ...(options?.doNotFake ?? [])] }),
  useRealTimers: () => timers.useRealTimers(),
  setSystemTime: (time) => timers.setSystemTime(time),
  advanceTimersByTime: (ms) => timers.advanceTimersByTime(ms),
  advanceTimersByTimeAsync: (ms) => timers.advanceTimersByTimeAsync(ms),
});

const current = (name) =>
  new Proxy(() => undefined, {
    apply: (_, self, args) => Reflect.apply(now[name], self, args),
    get: (_, key) => now[name][key],
  });

export const afterAll = current('afterAll');
export const afterEach = current('afterEach');
export const beforeAll = current('beforeAll');
export const beforeEach = current('beforeEach');
export const describe = current('describe');
export const expect = current('expect');
export const it = current('it');
export const jest = current('jest');
export const test = current('test');
