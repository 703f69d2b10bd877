import { DirectionProvider, useDirection } from '@mantine/core';
import type { Locale } from '@parley/contracts';
import { useEffect, useState, type ReactNode } from 'react';
import { IntlProvider } from 'react-intl';
import { Outlet, useParams } from 'react-router-dom';
import { directionOf, intlLocaleOf, isLocale, rememberLocale } from '../lib/locale.ts';
import { loadFirstTexts, type Messages } from '../lib/messages.ts';
import { useSession } from '../domain/session/session.ts';
import { ErrorBoundary } from './error-boundary.tsx';
import { ToLocale } from './to-locale.tsx';

/**
 * Loads the texts of the address's locale, sets language and direction of the document; changing it needs no reload.
 */
export function LocaleGate() {
  const { locale } = useParams();
  if (!isLocale(locale)) return <ToLocale />;
  return (
    <DirectionProvider initialDirection={directionOf(locale)} detectDirection={false}>
      <DirectionOf locale={locale} />
      <Texts locale={locale} load={loadFirstTexts}>
        <ErrorBoundary>
          <Outlet />
        </ErrorBoundary>
      </Texts>
    </DirectionProvider>
  );
}

function DirectionOf({ locale }: { locale: Locale }) {
  const { dir, setDirection } = useDirection();
  const wanted = directionOf(locale);
  useEffect(() => {
    document.documentElement.lang = locale;
    document.documentElement.dir = wanted;
    if (dir !== wanted) setDirection(wanted);
    rememberLocale(locale);
  }, [locale, wanted, dir, setDirection]);
  return null;
}

type TextsProps = { locale: Locale; load: (locale: Locale) => Promise<Messages>; children: ReactNode };

/** Gives texts to all below, and the person's time zone. The old ones stay until the new ones are here, so nothing below is unmounted. */
export function Texts({ locale, load, children }: TextsProps) {
  const [loaded, setLoaded] = useState<{ locale: Locale; messages: Messages } | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const session = useSession();
  const timeZone = session.status === 'signed-in' ? session.me.timeZone : null;
  useEffect(() => {
    let isCurrent = true;
    load(locale)
      .then((messages) => isCurrent && setLoaded({ locale, messages }))
      .catch((error: unknown) => isCurrent && setFailure(error));
    return () => {
      isCurrent = false;
    };
  }, [locale, load]);
  if (failure) throw failure;
  if (!loaded) return null;
  return (
    <IntlProvider locale={intlLocaleOf(loaded.locale)} messages={loaded.messages} {...(timeZone && { timeZone })}>
      {children}
    </IntlProvider>
  );
}
