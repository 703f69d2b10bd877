import type { Locale } from '@parley/contracts';
import type { lateTexts } from '@parley/contracts/pages';
import { createContext, useContext, useEffect, useState, type ReactNode } from 'react';
import { IntlProvider, useIntl } from 'react-intl';
import type { Messages } from './messages.ts';
import { useLocale } from './paths.ts';

type Part = (typeof lateTexts)[number];
type Load = (part: Part) => (locale: Locale) => Promise<Messages>;

const context = createContext<Load | null>(null);
/** The program knows where the texts lie; without it they are those of the source code. */
export const LateTextsProvider = context.Provider;

/** Adds the texts of a part that comes when it is asked for; nothing is shown until they are here. */
export function LateTexts({ part, children }: { part: Part; children: ReactNode }) {
  const load = useContext(context);
  const locale = useLocale();
  const intl = useIntl();
  const [loaded, setLoaded] = useState<{ locale: Locale; messages: Messages } | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  useEffect(() => {
    let isCurrent = true;
    load?.(part)(locale).then((messages) => isCurrent && setLoaded({ locale, messages }), setFailure);
    return () => {
      isCurrent = false;
    };
  }, [load, part, locale]);
  if (failure) throw failure;
  if (load === null) return children;
  if (!loaded) return null;
  return (
    <IntlProvider
      locale={intl.locale}
      messages={{ ...(intl.messages as Messages), ...loaded.messages }}
      {...(intl.timeZone !== undefined && { timeZone: intl.timeZone })}
    >
      {children}
    </IntlProvider>
  );
}
