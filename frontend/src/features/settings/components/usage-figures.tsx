import type { DayUsage } from '@parley/contracts';
import { useText } from '../../../lib/text.ts';
import { sumOf, tokensOf } from '../usage-month.ts';
import classes from '../usage.module.css';

type Figure = { readonly label: string; readonly tokens: number; readonly about: string };

/** The sums of the month, and of today where it is this month. */
export function UsageFigures({ days, today }: { days: readonly DayUsage[]; today: string | null }) {
  const { t, intl } = useText();
  const answers = (count: number) =>
    t({ id: 'settings.usage.answers', defaultMessage: '{count, plural, one {# answer} other {# answers}}' }, { count });
  const all = sumOf(days);
  const ofToday = sumOf(days.filter(({ day }) => day === today));
  const figures: Figure[] = [
    ...(today === null
      ? []
      : [
          {
            label: t({ id: 'settings.usage.today', defaultMessage: 'Today' }),
            tokens: tokensOf(ofToday),
            about: answers(ofToday.answers),
          },
        ]),
    {
      label: intl.formatDate(days[0]?.day, { month: 'long', timeZone: 'UTC' }),
      tokens: tokensOf(all),
      about: answers(all.answers),
    },
    {
      label: t({ id: 'settings.usage.read', defaultMessage: 'Read' }),
      tokens: all.inputTokens,
      about: t({ id: 'settings.usage.readAbout', defaultMessage: 'questions, history, passages' }),
    },
    {
      label: t({ id: 'settings.usage.written', defaultMessage: 'Written' }),
      tokens: all.outputTokens,
      about: t({ id: 'settings.usage.writtenAbout', defaultMessage: 'answers' }),
    },
  ];
  return (
    <dl className={classes.figures}>
      {figures.map(({ label, tokens, about }) => (
        <div key={label} className={classes.figure}>
          <dt className="p-meta">{label}</dt>
          <dd title={intl.formatNumber(tokens)}>
            <b className={classes.value}>
              {intl.formatNumber(tokens, { notation: 'compact', maximumSignificantDigits: 3 })}
            </b>{' '}
            {t(
              { id: 'settings.usage.tokens', defaultMessage: '{count, plural, one {token} other {tokens}}' },
              { count: tokens },
            )}
          </dd>
          <dd className="p-meta">{about}</dd>
        </div>
      ))}
    </dl>
  );
}
