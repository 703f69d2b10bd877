import {
  dayAt,
  parseSearch,
  searchOperator,
  searchOperators,
  type IgnoredOperator,
  type SearchOperator,
} from '@parley/contracts';
import { useState } from 'react';
import { useIntl } from 'react-intl';
import { useText } from '../../lib/text.ts';
import { ownTimeZone } from '../../lib/formats.ts';

/** Describes how an operator can be completed: the whole text then, the operator alone, and what it does. */
export type Completion = { readonly text: string; readonly operator: string; readonly about: string };

const dayMs = 86_400_000;
/** The operator that is being typed, up to the end of the text. */
const openOperator = /(?:^|\s)((?<name>in|from|has|before|after):(?:"(?<quoted>[^"]*)|(?<plain>[^\s"]*)))$/i;
const openWord = /(?:^|\s)(?<word>[a-z]{1,6})$/i;

/** Returns the time zone of the person who searches. */
export const useSearchZone = (): string => useIntl().timeZone ?? ownTimeZone();

/** Completes the last word to operators that begin like it, or the last operator with its values. */
export function useCompletions(text: string, projects: readonly string[]): Completion[] {
  const [now] = useState(() => Date.now());
  const about = useOperatorWords();
  const days = useDays(now);
  const open = openOperator.exec(text);
  if (open) {
    const name = open.groups!['name']!.toLowerCase() as SearchOperator;
    const typed = (open.groups!['quoted'] ?? open.groups!['plain'] ?? '').toLocaleLowerCase();
    const begun = text.slice(0, text.length - open[1]!.length);
    const values =
      name === 'in'
        ? [...new Set(projects)].map((value) => ({ value, about: about.in }))
        : name === 'before' || name === 'after'
          ? days
          : searchOperators[name].map((value) => ({ value, about: about[`${name}:${value}`] ?? '' }));
    return values
      .filter(({ value }) => value.toLocaleLowerCase().startsWith(typed) && value.toLocaleLowerCase() !== typed)
      .slice(0, 8)
      .map((one) => ({ about: one.about, ...goingOn(begun, `${searchOperator(name, one.value)} `) }));
  }
  const word = openWord.exec(text)?.groups?.['word'];
  if (word === undefined) return [];
  const begun = text.slice(0, text.length - word.length);
  return (Object.keys(searchOperators) as SearchOperator[])
    .filter((name) => name.startsWith(word.toLowerCase()) && (name !== 'in' || projects.length > 0))
    .map((name) => ({ about: about[name], ...goingOn(begun, `${name}:`) }));
}

const goingOn = (begun: string, operator: string) => ({ text: begun + operator, operator: operator.trim() });

/** Says whether the person is still typing this operator, so that nothing is wrong with it yet. */
export const isBeingTyped = (
  text: string,
  { operator }: IgnoredOperator,
  completions: readonly Completion[],
): boolean => text.endsWith(operator) && (completions.length > 0 || /^(?:before|after):[\d-]{0,9}$/i.test(operator));

/** Tells the words of a search, and whether operators are beside them. */
export function askedOf(text: string): { readonly words: string; readonly hasOperators: boolean } {
  const { words, has, ignored, ...others } = parseSearch(text);
  return { words, hasOperators: has.length > 0 || ignored.length > 0 || Object.keys(others).length > 0 };
}

function useOperatorWords(): Record<string, string> & Record<SearchOperator, string> {
  const { t } = useText();
  return {
    in: t({ id: 'search.operator.in', defaultMessage: 'In a project' }),
    from: t({ id: 'search.operator.from', defaultMessage: 'My messages or answers' }),
    has: t({ id: 'search.operator.has', defaultMessage: 'With an attachment' }),
    before: t({ id: 'search.operator.before', defaultMessage: 'Before a day' }),
    after: t({ id: 'search.operator.after', defaultMessage: 'From a day on' }),
    'from:me': t({ id: 'search.operator.fromMe', defaultMessage: 'My messages' }),
    'from:chatbot': t({ id: 'search.operator.fromChatbot', defaultMessage: 'Answers' }),
    'has:file': t({ id: 'search.operator.hasFile', defaultMessage: 'With a file' }),
    'has:image': t({ id: 'search.operator.hasImage', defaultMessage: 'With an image' }),
  };
}

function useDays(now: number) {
  const { t } = useText();
  const zone = useSearchZone();
  const labels: readonly [number, string][] = [
    [0, t({ id: 'search.day.today', defaultMessage: 'Today' })],
    [1, t({ id: 'search.day.yesterday', defaultMessage: 'Yesterday' })],
    [7, t({ id: 'search.day.week', defaultMessage: '7 days ago' })],
    [30, t({ id: 'search.day.month', defaultMessage: '30 days ago' })],
  ];
  return labels.map(([days, about]) => ({ value: dayAt(now - days * dayMs, zone), about }));
}
