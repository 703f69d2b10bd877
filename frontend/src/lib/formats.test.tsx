import { expect, it } from '@jest/globals';
import { renderHook } from '@testing-library/react';
import { IntlProvider } from 'react-intl';
import { useFormats } from './formats.ts';

it.each(['en', 'de', 'ar'])('tells every time by a clock of 24 hours: %s', (locale) => {
  const { result } = renderHook(() => useFormats(), {
    wrapper: ({ children }) => (
      <IntlProvider locale={locale} onError={() => undefined}>
        {children}
      </IntlProvider>
    ),
  });
  const { clock, minute, exact, moment } = result.current;
  const evening = new Date(2026, 10, 21, 21, 5, 9).getTime();
  const midnight = new Date(2026, 10, 21, 0, 5, 9).getTime();
  for (const told of [clock, minute, exact]) {
    expect(told(evening)).toContain('21:05');
    expect(told(midnight)).toContain('00:05');
  }
  expect(moment(new Date(evening).toISOString(), evening)).toBe(clock(evening));
});
