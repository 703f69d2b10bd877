import { NativeSelect } from '@mantine/core';
import type { BudgetScope, Permission } from '@parley/contracts';
import { allows } from '@parley/contracts/permissions';
import { useTab } from '../../../lib/tab-organisation.tsx';
import { useText } from '../../../lib/text.ts';
import { useChatbotNames } from '../../../domain/chatbot/use-chatbot-names.ts';
import { useGroups } from '../../../domain/role/use-roles.ts';
import { useModelLabel } from '../../../domain/model/model-name.ts';
import { useOfferedModels } from './use-budget-words.ts';
import type { useSaveBudget } from './use-save-budget.ts';
import { PersonChoice } from './person-choice.tsx';

type Fields = ReturnType<typeof useSaveBudget>['fields'];

/** What one has to see to choose it. */
const needed: Record<BudgetScope['kind'], Permission> = {
  organisation: 'budget:manage',
  group: 'group:read',
  person: 'member:read',
  model: 'model:use',
  chatbot: 'model:use',
};

/** Whose use is counted. */
export function ScopeChoice({ fields }: { fields: Fields }) {
  const { t } = useText();
  const { me, organisation } = useTab();
  const holder = { userId: me.id, permissions: organisation.permissions };
  const names: Record<BudgetScope['kind'], string> = {
    organisation: t({ id: 'billing.budget.organisation', defaultMessage: 'The whole organisation' }),
    group: t({ id: 'billing.budget.group', defaultMessage: 'A group together' }),
    person: t({ id: 'billing.budget.person', defaultMessage: 'A person' }),
    model: t({ id: 'billing.budget.model', defaultMessage: 'A model, for everyone' }),
    chatbot: t({ id: 'billing.budget.chatbot', defaultMessage: 'A chatbot, for everyone' }),
  };
  const kinds = (Object.keys(needed) as BudgetScope['kind'][]).filter((kind) => allows(holder, needed[kind]));
  const { kind } = fields.values;
  return (
    <>
      <NativeSelect
        data-first
        name="kind"
        label={t({ id: 'billing.budget.whose', defaultMessage: 'Applies to' })}
        data={kinds.map((value) => ({ value, label: names[value] }))}
        value={kind}
        onChange={(event) => fields.setValues({ kind: event.currentTarget.value as typeof kind, of: '' })}
      />
      {kind === 'group' ? <GroupSelect fields={fields} /> : null}
      {kind === 'chatbot' ? <ChatbotSelect fields={fields} /> : null}
      {kind === 'model' ? <ModelSelect fields={fields} /> : null}
      {kind === 'person' ? (
        <PersonChoice error={fields.errors['of']} onChange={(userId) => fields.setFieldValue('of', userId)} />
      ) : null}
    </>
  );
}

function GroupSelect({ fields }: { fields: Fields }) {
  const { t } = useText();
  const { groups } = useGroups();
  return (
    <NativeSelect
      name="of"
      label={t({ id: 'billing.byGroup.group', defaultMessage: 'Group' })}
      data={[
        { value: '', label: t({ id: 'billing.budget.choose', defaultMessage: 'Choose' }) },
        ...groups.map(({ id, name }) => ({ value: id, label: name })),
      ]}
      {...fields.getInputProps('of')}
    />
  );
}

function ChatbotSelect({ fields }: { fields: Fields }) {
  const { t } = useText();
  const names = useChatbotNames() ?? new Map<string, string>();
  return (
    <NativeSelect
      name="of"
      label={t({ id: 'billing.byChatbot.chatbot', defaultMessage: 'Chatbot' })}
      data={[
        { value: '', label: t({ id: 'billing.budget.choose', defaultMessage: 'Choose' }) },
        ...[...names].map(([value, label]) => ({ value, label })),
      ]}
      {...fields.getInputProps('of')}
      onChange={({ currentTarget: { value } }) => fields.setValues({ of: value, name: names.get(value) ?? '' })}
    />
  );
}

function ModelSelect({ fields }: { fields: Fields }) {
  const { t } = useText();
  const models = useOfferedModels() ?? [];
  const labelOf = useModelLabel();
  return (
    <NativeSelect
      name="of"
      label={t({ id: 'billing.byModel.model', defaultMessage: 'Model' })}
      data={[
        { value: '', label: t({ id: 'billing.budget.choose', defaultMessage: 'Choose' }) },
        ...models.map((model) => ({ value: model.key, label: labelOf(model) })),
      ]}
      {...fields.getInputProps('of')}
    />
  );
}
