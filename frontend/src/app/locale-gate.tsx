import { DirectionProvider, useDirection } from '@mantine/core';
import type { Locale } from '@parley/contracts';
import type { TextPart } from '@parley/contracts/pages';
import { useEffect, useState, type ReactNode } from 'react';
import { IntlProvider } from 'react-intl';
import { Outlet, useParams } from 'react-router-dom';
import { directionOf, intlLocaleOf, isLocale, rememberLocale } from '../lib/locale.ts';
import { loadMessages, type Messages } from '../lib/messages.ts';
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
      <Texts locale={locale} parts={['first']}>
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

/** The texts of these parts. The old ones stay until the new ones are here, so nothing below is unmounted. */
export function Texts({
  locale,
  parts,
  children,
}: {
  locale: Locale;
  parts: readonly TextPart[];
  children: ReactNode;
}) {
  const [loaded, setLoaded] = useState<{ locale: Locale; messages: Messages } | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const names = parts.join(' ');
  useEffect(() => {
    let isCurrent = true;
    const wanted = names.split(' ') as TextPart[];
    Promise.all(wanted.map((part) => loadMessages(locale, part)))
      .then((all) => isCurrent && setLoaded({ locale, messages: Object.assign({}, ...all) as Messages }))
      .catch((error: unknown) => isCurrent && setFailure(error));
    return () => {
      isCurrent = false;
    };
  }, [locale, names]);
  if (failure) throw failure;
  if (!loaded) return null;
  return (
    <IntlProvider locale={intlLocaleOf(loaded.locale)} messages={loaded.messages}>
      {children}
    </IntlProvider>
  );
}
