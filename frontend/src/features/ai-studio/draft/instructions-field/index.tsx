import { instructionVariables, unknownVariables } from '@parley/contracts/chatbot-instructions';
import { useId, useLayoutEffect, useRef, useState, type KeyboardEvent } from 'react';
import { charactersOf } from '../../../../lib/characters.ts';
import { useFormats } from '../../../../lib/formats.ts';
import { useText } from '../../../../lib/text.ts';
import { longestInstructions } from '../../state/use-draft-editing.ts';
import { WithVariables } from '../text-diff-view/index.tsx';
import classes from './instructions-field.module.css';

type Variable = (typeof instructionVariables)[number];
type Props = { value: string; onChange: (next: string) => void };

/** Where a variable is being typed: its beginning behind the braces; null where none is. */
const begunAt = (value: string, caret: number): { from: number; typed: string } | null => {
  const [, typed] = /\{\{\s*([a-z.]*)$/.exec(value.slice(0, caret)) ?? [];
  return typed === undefined ? null : { from: caret - typed.length, typed };
};

/** Instructions with their variables as tokens; `{{` offers what can be named. */
export function InstructionsField({ value, onChange }: Props) {
  const { t, rich } = useText();
  const { number } = useFormats();
  const input = useRef<HTMLTextAreaElement>(null);
  const list = useId();
  const hint = useId();
  const offering = useOffering(value, onChange, input);
  const unknown = unknownVariables(value);
  const count = charactersOf(value);
  const isTooLong = count > longestInstructions;
  return (
    <div className={classes.place}>
      <div className={classes.field} data-fault={unknown.length > 0 || isTooLong || undefined}>
        <div className={classes.behind} aria-hidden="true" dir="auto">
          <WithVariables text={`${value}\n`} />
        </div>
        <textarea
          ref={input}
          className={classes.input}
          aria-label={t({ id: 'studio.field.instructions', defaultMessage: 'Instructions' })}
          aria-describedby={hint}
          aria-invalid={unknown.length > 0 || isTooLong}
          aria-controls={offering.offered.length > 0 ? list : undefined}
          dir="auto"
          spellCheck
          value={value}
          onChange={(event) => {
            onChange(event.currentTarget.value);
            offering.look(event.currentTarget);
          }}
          onKeyDown={offering.onKeyDown}
          onSelect={(event) => offering.look(event.currentTarget)}
          onBlur={offering.close}
        />
      </div>
      {offering.offered.length > 0 ? <Offered id={list} {...offering} /> : null}
      <div id={hint} className={`p-meta p-figures ${classes.foot}`}>
        <span data-bad={isTooLong || undefined}>
          {t(
            { id: 'studio.instructions.length', defaultMessage: '{count} of {most} characters' },
            { count: number(count), most: number(longestInstructions) },
          )}
        </span>
        <span>
          {rich(
            { id: 'studio.instructions.hint', defaultMessage: 'Type {braces} for a variable' },
            {
              braces: (
                <bdi key="braces" dir="ltr">
                  {'{{'}
                </bdi>
              ),
            },
          )}
        </span>
      </div>
      {unknown.length > 0 ? (
        <p className={`p-sm ${classes.fault}`} role="alert">
          {t(
            {
              id: 'studio.instructions.unknown',
              defaultMessage: 'The variable {names} doesn’t exist. Available: {known}.',
            },
            {
              names: unknown.map((name) => `{{${name}}}`).join(', '),
              known: instructionVariables.map((name) => `{{${name}}}`).join(', '),
            },
          )}
        </p>
      ) : null}
    </div>
  );
}

type Offering = ReturnType<typeof useOffering>;

function useOffering(value: string, onChange: Props['onChange'], input: React.RefObject<HTMLTextAreaElement | null>) {
  const [begun, setBegun] = useState<ReturnType<typeof begunAt>>(null);
  const [chosen, setChosen] = useState(0);
  /** Where one goes on writing, once the variable stands there; before anything else is typed. */
  const caret = useRef<number | null>(null);
  useLayoutEffect(() => {
    if (caret.current === null) return;
    input.current?.focus();
    input.current?.setSelectionRange(caret.current, caret.current);
    caret.current = null;
  }, [value, input]);
  const offered = begun ? instructionVariables.filter((name) => name.startsWith(begun.typed)) : [];
  const look = ({ value: text, selectionStart, selectionEnd }: HTMLTextAreaElement) => {
    setBegun(selectionStart === selectionEnd ? begunAt(text, selectionStart) : null);
    setChosen(0);
  };
  const put = (name: Variable) => {
    if (!begun) return;
    const end = begun.from + begun.typed.length;
    const rest = value.slice(end);
    const closed = rest.startsWith('}}') ? rest : `}}${rest}`;
    onChange(`${value.slice(0, begun.from)}${name}${closed}`);
    setBegun(null);
    caret.current = begun.from + name.length + 2;
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (offered.length === 0 || event.nativeEvent.isComposing) return;
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step !== 0) setChosen((chosen + step + offered.length) % offered.length);
    else if (event.key === 'Enter' || event.key === 'Tab') put(offered[chosen] ?? offered[0]!);
    else if (event.key === 'Escape') setBegun(null);
    else return;
    event.preventDefault();
  };
  return { offered, chosen, put, look, onKeyDown, close: () => setBegun(null) };
}

function Offered({ id, offered, chosen, put }: { id: string } & Pick<Offering, 'offered' | 'chosen' | 'put'>) {
  const { t } = useText();
  const about: Readonly<Record<Variable, string>> = {
    'org.name': t({ id: 'studio.variable.org', defaultMessage: 'Name of the organisation' }),
    'person.name': t({ id: 'studio.variable.person', defaultMessage: 'Name of the person asking' }),
    'person.locale': t({ id: 'studio.variable.locale', defaultMessage: 'Language of the person asking' }),
    today: t({ id: 'studio.variable.today', defaultMessage: 'Today’s date' }),
  };
  const first = offered[chosen] ?? offered[0];
  return (
    <>
      <ul
        id={id}
        className={classes.offered}
        aria-label={t({ id: 'studio.variable.label', defaultMessage: 'Variables' })}
      >
        {offered.map((name, at) => (
          <li key={name}>
            <button
              type="button"
              tabIndex={-1}
              data-chosen={at === chosen || undefined}
              // The field keeps the focus.
              onPointerDown={(event) => event.preventDefault()}
              onClick={() => put(name)}
            >
              <bdi className={classes.variable}>{`{{${name}}}`}</bdi>
              <span className="p-meta">{about[name]}</span>
            </button>
          </li>
        ))}
      </ul>
      <output className="p-hidden">{first ? about[first] : null}</output>
    </>
  );
}
