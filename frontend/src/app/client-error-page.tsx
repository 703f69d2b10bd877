import { Button } from '@mantine/core';
import { Copy, RotateCw } from 'lucide-react';
import { useState } from 'react';
import { copyText } from '../lib/clipboard.ts';
import { digestOf } from '../lib/failure.ts';
import { useText } from '../lib/text.ts';
import { Brand } from '../ui/brand.tsx';
import classes from './client-error-page.module.css';

/** The event's id as Sentry's protocol has it: 32 digits. */
export type ClientFailure = { error: unknown; eventId: string; at: string };

type Words = { title: string; advice: string; reload: string; copy: string; copied: string; details: string | null };

/** This sentence is part of the specification, to the letter. */
const englishTitle = (host: string) =>
  `Application error: a client-side exception has occurred while loading ${host} (see the browser console for more information).`;

export function ClientErrorPage({ failure }: { failure: ClientFailure }) {
  const { t, intl } = useText();
  const words: Words = {
    title: t(
      {
        id: 'clientError.page.title',
        defaultMessage:
          'Application error: a client-side exception has occurred while loading {host} (see the browser console for more information).',
      },
      { host: location.host },
    ),
    advice: t({
      id: 'clientError.page.advice',
      defaultMessage:
        'Your messages are kept on the server. Reload to carry on; if it happens again, send the details to your administrator.',
    }),
    reload: t({ id: 'clientError.page.reload', defaultMessage: 'Reload page' }),
    copy: t({ id: 'clientError.page.copy', defaultMessage: 'Copy details' }),
    copied: t({ id: 'clientError.page.copied', defaultMessage: 'Details copied' }),
    details: intl.locale.startsWith('en') ? null : t({ id: 'clientError.page.details', defaultMessage: 'Details' }),
  };
  return <ErrorCard failure={failure} words={words} />;
}

export function EnglishClientErrorPage({ failure }: { failure: ClientFailure }) {
  const words: Words = {
    title: englishTitle(location.host),
    advice:
      'Your messages are kept on the server. Reload to carry on; if it happens again, send the details to your administrator.',
    reload: 'Reload page',
    copy: 'Copy details',
    copied: 'Details copied',
    details: null,
  };
  return <ErrorCard failure={failure} words={words} />;
}

function ErrorCard({ failure, words }: { failure: ClientFailure; words: Words }) {
  const [isCopied, setCopied] = useState(false);
  const facts = [
    `digest ${digestOf(failure.eventId)}`,
    `event ${failure.eventId.slice(0, 12).match(/.{4}/g)?.join('·')}`,
    `release ${__RELEASE__}`,
    `${failure.at.slice(0, 19).replace('T', ' ')} UTC`,
  ];
  const copyDetails = async () => {
    const { error } = failure;
    const text = [
      englishTitle(location.host),
      ...facts,
      location.href,
      error instanceof Error ? (error.stack ?? error.message) : String(error),
    ].join('\n');
    setCopied(await copyText(text));
  };
  return (
    <main className={classes.page}>
      <section className={classes.card} role="alert">
        <Brand />
        <h1 className={`p-h2 ${classes.title}`}>{words.title}</h1>
        <p className="p-quiet">{words.advice}</p>
        <div className={classes.actions}>
          <Button leftSection={<RotateCw />} onClick={() => location.reload()}>
            {words.reload}
          </Button>
          <Button variant="default" leftSection={<Copy />} onClick={() => void copyDetails()}>
            {isCopied ? words.copied : words.copy}
          </Button>
        </div>
        <div className={classes.facts} dir="ltr">
          {facts.map((fact) => (
            <span key={fact}>{fact}</span>
          ))}
        </div>
        {words.details === null ? null : (
          <details className={classes.english}>
            <summary>{words.details}</summary>
            <p lang="en" dir="ltr">
              {englishTitle(location.host)}
            </p>
          </details>
        )}
      </section>
    </main>
  );
}
