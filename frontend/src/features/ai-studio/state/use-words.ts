import type { Audience, ChatbotContent } from '@parley/contracts';
import { useFormats } from '../../../lib/formats.ts';
import { useText } from '../../../lib/text.ts';
import { useGroups, useRoles } from '../../../domain/role/use-roles.ts';
import type { Field } from './merge-drafts.ts';
import { useOfferedModels } from './queries.ts';

/** What parts of a chatbot are called, and what is in them, in words. */
export function useWords() {
  const { t } = useText();
  const { number } = useFormats();
  const { nameOf: modelName } = useOfferedModels();
  const fieldNames: Readonly<Record<Field, string>> = {
    name: t({ id: 'studio.field.name', defaultMessage: 'Name' }),
    glyph: t({ id: 'studio.field.glyph', defaultMessage: 'Picture' }),
    instructions: t({ id: 'studio.field.instructions', defaultMessage: 'Instructions' }),
    starters: t({ id: 'studio.field.starters', defaultMessage: 'Starters' }),
    model: t({ id: 'studio.field.model', defaultMessage: 'Model' }),
    fallback: t({ id: 'studio.field.fallback', defaultMessage: 'Fallback' }),
    temperature: t({ id: 'studio.field.temperature', defaultMessage: 'Temperature' }),
    knowledge: t({ id: 'studio.field.knowledge', defaultMessage: 'Knowledge' }),
    audience: t({ id: 'studio.field.audience', defaultMessage: 'Audience' }),
  };
  const audience = useAudienceWords();
  const knowledge = useKnowledgeWords();
  const none = t({ id: 'studio.value.none', defaultMessage: 'none' });
  const valueOf = (field: Exclude<Field, 'instructions'>, content: ChatbotContent): string => {
    const { temperature, starters } = content;
    switch (field) {
      case 'name':
      case 'glyph':
        return content[field];
      case 'model':
        return content.model === null
          ? t({ id: 'studio.value.anyModel', defaultMessage: 'the person asking chooses' })
          : modelName(content.model);
      case 'fallback':
        return content.fallback === null ? none : modelName(content.fallback);
      case 'temperature':
        return temperature === null
          ? t({ id: 'studio.value.serverTemperature', defaultMessage: 'as the model server has it' })
          : number(temperature);
      case 'starters':
        return starters.length === 0 ? none : starters.join(' · ');
      case 'knowledge':
        return knowledge(content.knowledge);
      case 'audience':
        return audience(content.audience);
    }
  };
  return { fieldNames, valueOf };
}

function useAudienceWords(): (value: Audience) => string {
  const { t } = useText();
  const { nameOf: roleName } = useRoles();
  const { namesOf } = useGroups();
  return (value) => {
    if (value.kind === 'everybody') return t({ id: 'studio.audience.everybody', defaultMessage: 'Everybody' });
    const people = t(
      { id: 'studio.audience.people', defaultMessage: '{count, plural, =0 {} one {# person} other {# people}}' },
      { count: value.userIds.length },
    );
    const names = [...value.roles.map(roleName), ...namesOf(value.groupIds), people].filter((name) => name !== '');
    return names.join(', ') || t({ id: 'studio.audience.nobody', defaultMessage: 'Nobody' });
  };
}

function useKnowledgeWords(): (knowledge: ChatbotContent['knowledge']) => string {
  const { t } = useText();
  return ({ passages, onlyFromDocuments, connectionIds }) =>
    [
      t(
        {
          id: 'studio.knowledge.passages',
          defaultMessage: '{count, plural, =0 {No passages} one {# passage} other {# passages}}',
        },
        { count: passages },
      ),
      ...(onlyFromDocuments ? [t({ id: 'studio.knowledge.only', defaultMessage: 'only from documents' })] : []),
      ...(connectionIds
        ? [
            t(
              {
                id: 'studio.knowledge.connections',
                defaultMessage: '{count, plural, one {# connection} other {# connections}}',
              },
              { count: connectionIds.length },
            ),
          ]
        : []),
    ].join(', ');
}
