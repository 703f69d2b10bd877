import { Input } from '@mantine/core';
import { X } from 'lucide-react';
import { useId, useRef, useState, type ClipboardEvent, type KeyboardEvent, type ReactNode } from 'react';
import type { AddressVerdict } from '@parley/contracts';
import { useText } from '../../../lib/text.ts';
import { useFocusOnMount } from '../../../ui/use-focus-on-mount.ts';
import {
  addressesIn,
  mostLines,
  separators,
  verdictsOf,
  withLines,
  type AddressLine,
  type Report,
} from './address-lines.ts';
import classes from '../parts/dialogs.module.css';

/** So many reasons are spelled out; the chips of the others are red all the same. */
const mostReasons = 3;

type Props = {
  lines: readonly AddressLine[];
  report: Report | undefined;
  error: ReactNode;
  onChange: (lines: AddressLine[]) => void;
};

/** Addresses as chips, from typing or from a pasted list. A red one gets no mail: the line below says why. */
export function AddressField({ lines, report, error, onChange }: Props) {
  const { t } = useText();
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  useFocusOnMount(input);
  const { typed, leftOut, bind } = useTyping(lines, onChange);
  const verdicts = verdictsOf(lines, report);
  return (
    <div>
      <Input.Label htmlFor={id}>
        {t({ id: 'organisation.addresses.label', defaultMessage: 'Email addresses' })}
      </Input.Label>
      {/* A click beside the chips goes on writing; the keyboard is in the input anyway. */}
      {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions -- a click beside the text goes to it; by keys one is there already */}
      <div className={classes.addresses} data-error={error ? true : undefined} onClick={() => input.current?.focus()}>
        {lines.map((line, at) => (
          <Chip
            key={line.id}
            text={line.text}
            isBad={isBad(verdicts[at]?.verdict)}
            onRemove={() => onChange(lines.filter((other) => other !== line))}
          />
        ))}
        <input
          ref={input}
          id={id}
          name="people"
          data-autofocus
          className={classes.typing}
          value={typed}
          dir="ltr"
          inputMode="email"
          autoComplete="off"
          spellCheck={false}
          aria-describedby={`${id}-about`}
          aria-invalid={error ? true : undefined}
          {...bind}
        />
      </div>
      <div id={`${id}-about`}>
        <Reasons lines={lines} verdicts={verdicts.map((one) => one?.verdict)} />
        {error ? <p className={classes.wrong}>{error}</p> : null}
        {leftOut > 0 ? (
          <p className={classes.wrong}>
            {t(
              {
                id: 'organisation.addresses.tooMany',
                defaultMessage:
                  '{most, number} people at once: {count, plural, one {# address was} other {# addresses were}} left out.',
              },
              { most: mostLines, count: leftOut },
            )}
          </p>
        ) : null}
        <p className="p-meta">
          {t(
            {
              id: 'organisation.addresses.about',
              defaultMessage: 'Type, or paste a list or a CSV: one line each, up to {most, number}.',
            },
            { most: mostLines },
          )}
        </p>
      </div>
    </div>
  );
}

const isBad = (verdict: AddressVerdict | undefined): boolean => verdict !== undefined && verdict !== 'fine';

function Chip({ text, isBad: isRed, onRemove }: { text: string; isBad: boolean; onRemove: () => void }) {
  const { t } = useText();
  return (
    <span className={classes.chip} data-bad={isRed || undefined}>
      <bdi dir="ltr">{text}</bdi>
      <button
        type="button"
        className={classes.remove}
        aria-label={t({ id: 'organisation.addresses.remove', defaultMessage: 'Remove {address}' }, { address: text })}
        onClick={onRemove}
      >
        <X size={14} />
      </button>
    </span>
  );
}

function Reasons({
  lines,
  verdicts,
}: {
  lines: readonly AddressLine[];
  verdicts: readonly (AddressVerdict | undefined)[];
}) {
  const { t } = useText();
  const words = useVerdictWords();
  const bad = lines.flatMap(({ id, text }, at) => {
    const verdict = verdicts[at];
    return verdict && isBad(verdict) ? [{ id, text, verdict }] : [];
  });
  return (
    <div aria-live="polite">
      {bad.slice(0, mostReasons).map(({ id, text, verdict }) => (
        <p key={id} className={classes.wrong}>
          {words(text, verdict)}
        </p>
      ))}
      {bad.length > mostReasons ? (
        <p className={classes.wrong}>
          {t(
            {
              id: 'organisation.addresses.more',
              defaultMessage: '{count, plural, one {# more gets} other {# more get}} no email.',
            },
            { count: bad.length - mostReasons },
          )}
        </p>
      ) : null}
    </div>
  );
}

/** Why an address gets no mail. */
export function useVerdictWords(): (address: string, verdict: AddressVerdict) => string {
  const { t } = useText();
  return (address, verdict) =>
    ({
      fine: address,
      malformed: t(
        { id: 'organisation.verdict.malformed', defaultMessage: '{address} isn’t an email address.' },
        { address },
      ),
      twice: t(
        { id: 'organisation.verdict.twice', defaultMessage: '{address} is listed twice and gets one email.' },
        { address },
      ),
      member: t(
        { id: 'organisation.verdict.member', defaultMessage: '{address} is already a member and gets no email.' },
        { address },
      ),
      invited: t(
        {
          id: 'organisation.verdict.invited',
          defaultMessage: '{address} is already invited and gets no second email. Send it again from the list.',
        },
        { address },
      ),
      taken: t(
        { id: 'organisation.verdict.taken', defaultMessage: '{address} wasn’t invited. Invite this person again.' },
        { address },
      ),
    })[verdict];
}

/** What stands in the input becomes chips at a separator, with Enter, when it is left, and from a pasted list. */
function useTyping(lines: readonly AddressLine[], onChange: (lines: AddressLine[]) => void) {
  const [typed, setTyped] = useState('');
  const [leftOut, setLeftOut] = useState(0);
  const add = (text: string) => {
    const next = withLines(lines, addressesIn(text));
    setLeftOut(next.leftOut);
    setTyped('');
    if (next.lines.length > lines.length) onChange(next.lines);
  };
  const bind = {
    onChange: ({ currentTarget: { value } }: { currentTarget: HTMLInputElement }) =>
      separators.test(value) || /^\S+@\S+\s$/.test(value) ? add(value) : setTyped(value),
    onPaste: (event: ClipboardEvent) => {
      const text = event.clipboardData.getData('text');
      if (!separators.test(text)) return;
      event.preventDefault();
      add(`${typed}${text}`);
    },
    onBlur: () => typed.trim() !== '' && add(typed),
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key === 'Enter' && typed.trim() !== '' && !event.nativeEvent.isComposing) {
        event.preventDefault();
        add(typed);
      }
      if (event.key === 'Backspace' && typed === '' && lines.length > 0) onChange(lines.slice(0, -1));
    },
  };
  return { typed, leftOut, bind };
}
