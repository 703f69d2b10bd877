import type { ChatbotContent } from '@parley/contracts';
import { useText } from '../../../lib/text.ts';

export type Template = { readonly key: string; readonly about: string; readonly content: ChatbotContent };

const person = '{{person.name}}';
const organisation = '{{org.name}}';
const locale = '{{person.locale}}';
/** Texts keep no line breaks. */
const br = '\n';
const base: ChatbotContent = {
  name: '',
  glyph: 'bot',
  instructions: '',
  model: null,
  fallback: null,
  temperature: null,
  knowledge: { passages: 6, onlyFromDocuments: false, connectionIds: null },
  starters: [],
  audience: { kind: 'everybody' },
};

/** What a new chatbot can begin with, in the language of whoever makes it. */
export function useTemplates(): { templates: readonly Template[]; empty: ChatbotContent } {
  const { t } = useText();
  const handbook: Template = {
    key: 'handbook',
    about: t({
      id: 'studio.template.handbook.about',
      defaultMessage: 'Answers only from your documents and says so when they do not answer.',
    }),
    content: {
      ...base,
      name: t({ id: 'studio.template.handbook.name', defaultMessage: 'Handbook' }),
      glyph: 'book',
      instructions: t(
        {
          id: 'studio.template.handbook.instructions',
          defaultMessage:
            'You answer questions of people of {organisation} from its documents.{br}Answer in two or three sentences and name the document.{br}If the documents do not answer, say which information is missing and whom to ask. Guess nothing.{br}Reply in the language {locale}.',
        },
        { organisation, locale, br },
      ),
      temperature: 0.2,
      knowledge: { passages: 8, onlyFromDocuments: true, connectionIds: null },
      starters: [
        t({ id: 'studio.template.handbook.starter1', defaultMessage: 'How many days of leave do I have?' }),
        t({ id: 'studio.template.handbook.starter2', defaultMessage: 'How do I report travel costs?' }),
      ],
    },
  };
  const desk: Template = {
    key: 'desk',
    about: t({
      id: 'studio.template.desk.about',
      defaultMessage: 'Goes through a problem step by step and says when it is time for a ticket.',
    }),
    content: {
      ...base,
      name: t({ id: 'studio.template.desk.name', defaultMessage: 'Service desk' }),
      glyph: 'wrench',
      instructions: t(
        {
          id: 'studio.template.desk.instructions',
          defaultMessage:
            'You help {person} of {organisation} with technical problems.{br}Ask first what was tried and what the message on the screen says.{br}Give one step at a time and wait for what it did.{br}After three steps without success, write a ticket: what happens, since when, what was tried.',
        },
        { person, organisation, br },
      ),
      temperature: 0.3,
      starters: [
        t({ id: 'studio.template.desk.starter1', defaultMessage: 'I cannot reach the network.' }),
        t({ id: 'studio.template.desk.starter2', defaultMessage: 'The printer does not print.' }),
      ],
    },
  };
  return { templates: [handbook, desk, useEditorTemplate(), useMinutesTemplate()], empty: useEmpty() };
}

function useEditorTemplate(): Template {
  const { t } = useText();
  return {
    key: 'editor',
    about: t({
      id: 'studio.template.editor.about',
      defaultMessage: 'Makes texts shorter and clearer, and says what it has changed.',
    }),
    content: {
      ...base,
      name: t({ id: 'studio.template.editor.name', defaultMessage: 'Text editor' }),
      glyph: 'scale',
      instructions: t(
        {
          id: 'studio.template.editor.instructions',
          defaultMessage:
            'You edit texts. Keep meaning, names, numbers and language of the text.{br}Make sentences short, put the most important first, take out what says nothing.{br}Give the whole new text, then a list of at most five changes with the reason for each.',
        },
        { br },
      ),
      temperature: 0.4,
      knowledge: { ...base.knowledge, passages: 0 },
      starters: [
        t({ id: 'studio.template.editor.starter1', defaultMessage: 'Make this email half as long:' }),
        t({ id: 'studio.template.editor.starter2', defaultMessage: 'Rewrite this so that a newcomer understands it:' }),
      ],
    },
  };
}

function useMinutesTemplate(): Template {
  const { t } = useText();
  return {
    key: 'minutes',
    about: t({
      id: 'studio.template.minutes.about',
      defaultMessage: 'Turns notes of a meeting into decisions, tasks and open questions.',
    }),
    content: {
      ...base,
      name: t({ id: 'studio.template.minutes.name', defaultMessage: 'Minutes' }),
      glyph: 'briefcase',
      instructions: t(
        {
          id: 'studio.template.minutes.instructions',
          defaultMessage:
            'You turn notes into minutes. Today is {today}.{br}Write three lists: decisions, tasks with person and date, open questions.{br}Take nothing that is not in the notes. Mark what is unclear with a question.',
        },
        { today: '{{today}}', br },
      ),
      temperature: 0.2,
      knowledge: { ...base.knowledge, passages: 0 },
      starters: [t({ id: 'studio.template.minutes.starter1', defaultMessage: 'Here are my notes:' })],
    },
  };
}

function useEmpty(): ChatbotContent {
  const { t } = useText();
  return { ...base, name: t({ id: 'studio.template.empty.name', defaultMessage: 'New chatbot' }) };
}
