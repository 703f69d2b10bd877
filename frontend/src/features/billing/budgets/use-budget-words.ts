import type { Budget } from '@parley/contracts';
import { useIntl } from 'react-intl';
import { useFormats } from '../../../lib/formats.ts';
import { useRight, useTab } from '../../../lib/tab-organisation.tsx';
import { useChatbotNames } from '../../../domain/chatbot/use-chatbot-names.ts';
import { useText } from '../../../lib/text.ts';
import { useGroups } from '../../../domain/role/use-roles.ts';
import { useModelName } from '../../../domain/model/model-name.ts';
import { useModels } from '../../../domain/model/use-models.ts';
import type { Budgets } from './use-budgets.ts';

/** The models that members can choose now; undefined until they are known, or for readers who may not use any. */
export const useOfferedModels = () => useModels({ enabled: useRight('model:use') }).data?.items;

/** Whose a budget is, by name: what is gone is named as such, and what one may not see by its kind. */
export function useScopeName(people: Budgets['people'] | undefined) {
  const { t } = useText();
  const { organisation } = useTab();
  const { groups, isLoaded } = useGroups();
  const maySeePeople = useRight('member:read');
  const modelName = useModelName();
  const models = useOfferedModels();
  const chatbots = useChatbotNames();
  return (scope: Budget['scope']): string => {
    switch (scope.kind) {
      case 'organisation':
        return organisation.name;
      case 'group':
        return (
          groups.find(({ id }) => id === scope.id)?.name ??
          (isLoaded
            ? t({ id: 'billing.budget.groupGone', defaultMessage: 'Deleted group' })
            : t({ id: 'billing.budget.someGroup', defaultMessage: 'A group' }))
        );
      case 'person':
        return (
          people?.find(({ userId }) => userId === scope.id)?.name ??
          (maySeePeople
            ? t({ id: 'billing.byPerson.gone', defaultMessage: 'Former member' })
            : t({ id: 'billing.budget.somePerson', defaultMessage: 'A person' }))
        );
      case 'chatbot':
        return chatbots?.get(scope.id) ?? scope.name;
      case 'model':
        return models?.every(({ key }) => key !== scope.id)
          ? t(
              { id: 'billing.budget.modelGone', defaultMessage: '{name}, not offered any more' },
              { name: modelName(scope.id) },
            )
          : modelName(scope.id);
    }
  };
}

/** Amounts of a budget, and the day on which it starts again, in the organisation's time zone. */
export function useBudgetWords({ currency, timeZone }: Pick<Budgets, 'currency' | 'timeZone'>) {
  const intl = useIntl();
  const { t } = useText();
  const { cost, number } = useFormats();
  return {
    /** In a table, where the unit stands beside the name. */
    figure: ({ unit }: Pick<Budget, 'unit'>, value: number) =>
      unit === 'money' && currency ? cost(value, currency) : number(value),
    /** In a sentence. */
    amount: ({ unit }: Pick<Budget, 'unit'>, value: number) =>
      unit === 'money' && currency
        ? cost(value, currency)
        : t(
            { id: 'billing.budget.tokens', defaultMessage: '{count, plural, one {# token} other {# tokens}}' },
            { count: value },
          ),
    day: (iso: string) => intl.formatDate(iso, { day: 'numeric', month: 'short', timeZone }),
    moment: (iso: string) =>
      intl.formatDate(iso, { dateStyle: 'medium', timeStyle: 'short', hourCycle: 'h23', timeZone }),
  };
}
