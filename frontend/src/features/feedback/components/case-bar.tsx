import { feedbackReasons } from '../../../domain/feedback/feedback-reasons.ts';
import { useFormats } from '../../../lib/formats.ts';
import { useText } from '../../../lib/text.ts';
import { ChoiceFilters, type FilterChoice } from '../../../ui/choice-filters.tsx';
import table from '../../../ui/table.module.css';
import { caseStates, useFeedbackWords } from '../feedback-words.ts';
import { useCounts, type Cases } from '../use-cases.ts';

type Name = 'state' | 'chatbot' | 'reason' | 'rating' | 'from';
type Part = Partial<Record<Name, string | null>>;

const dayMs = 86_400_000;
const longestDays = 90;
const dayBefore = (days: number): string => new Date(Date.now() - days * dayMs).toISOString().slice(0, 10);

/** Without a state those that are open are shown; taking that chip away shows all. */
export function CaseBar({ cases: { filters, setFilters } }: { cases: Cases }) {
  const state = filters.state ?? 'open';
  const change = (part: Part) => {
    // A good rating is nothing to do: it is in no state.
    const isGood = part.rating === 'up' && state !== 'all';
    const all = (part.state === null ? { state: 'all' } : isGood ? { state: 'all' } : {}) as Part;
    setFilters({ ...part, ...all } as Parameters<typeof setFilters>[0]);
  };
  return (
    <div className={table.bar}>
      <ChoiceFilters
        choices={useChoices(filters)}
        values={{ ...filters, state: state === 'all' ? null : state }}
        onChange={change}
      />
    </div>
  );
}

function useChoices(filters: Cases['filters']): FilterChoice<Name>[] {
  const { t } = useText();
  const { day } = useFormats();
  const words = useFeedbackWords();
  const { data } = useCounts(longestDays);
  const spans = [
    { value: dayBefore(0), label: t({ id: 'feedback.filter.today', defaultMessage: 'Today' }) },
    { value: dayBefore(6), label: t({ id: 'feedback.filter.week', defaultMessage: 'Last 7 days' }) },
    { value: dayBefore(29), label: t({ id: 'feedback.filter.month', defaultMessage: 'Last 30 days' }) },
  ];
  const { from, chatbot } = filters;
  const bots = (data?.chatbots ?? []).map(({ id, name }) => ({ value: id as string, label: name }));
  const since = (value: string) =>
    t(
      { id: 'feedback.filter.since', defaultMessage: 'Since {day}' },
      { day: /^\d{4}-\d{2}-\d{2}$/.test(value) ? day(value) : value },
    );
  const choices: FilterChoice<Name>[] = [
    {
      name: 'state',
      label: t({ id: 'feedback.column.state', defaultMessage: 'State' }),
      options: [
        { value: 'open', label: t({ id: 'feedback.filter.open', defaultMessage: 'Open' }) },
        ...caseStates.map((value) => ({ value, label: words.stateName(value) })),
      ],
    },
    {
      name: 'chatbot',
      label: t({ id: 'feedback.filter.chatbot', defaultMessage: 'Chatbot' }),
      options: withCurrent(bots, chatbot, () => t({ id: 'feedback.filter.chatbot', defaultMessage: 'Chatbot' })),
    },
    {
      name: 'reason',
      label: t({ id: 'feedback.filter.reason', defaultMessage: 'Reason' }),
      options: feedbackReasons.map((value) => ({ value, label: words.reasonName(value) })),
    },
    {
      name: 'rating',
      label: t({ id: 'feedback.filter.rating', defaultMessage: 'Rating' }),
      options: (['down', 'up'] as const).map((value) => ({ value, label: words.ratingName(value) })),
    },
    {
      name: 'from',
      label: t({ id: 'feedback.column.reported', defaultMessage: 'Reported' }),
      options: withCurrent(spans, from, since),
    },
  ];
  return choices.filter(({ options }) => options.length > 0);
}

type Options = FilterChoice['options'];

/** What the address says is offered, too: an address that was sent yesterday still says what it shows. */
const withCurrent = (options: Options, value: string | null, labelOf: (value: string) => string): Options =>
  value === null || options.some((option) => option.value === value)
    ? options
    : [...options, { value, label: labelOf(value) }];
