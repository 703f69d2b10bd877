import { InputBase } from '@mantine/core';
import type { ChatbotId, Project } from '@parley/contracts';
import { ChevronDown } from 'lucide-react';
import { useText } from '../../../lib/text.ts';
import { useActionOff } from '../../../ui/stale.tsx';
import { SavingNote } from './saving-note.tsx';
import { useDefaultChatbot } from './use-default-chatbot.ts';
import { useSavedField } from './use-saved-field.ts';
import classes from './projects.module.css';

/** Chooses the chatbot that new chats of a project start with. */
export function ChatbotField({ project }: { project: Project }) {
  const { t } = useText();
  const off = useActionOff();
  const { value, saving, change, drop, save } = useSavedField(project, 'chatbotId');
  const { chatbots, isMissing } = useDefaultChatbot({ chatbotId: value });
  const ofOrganisation = t({ id: 'project.chatbot.ofOrganisation', defaultMessage: 'The organisation’s default' });
  const missing = t({ id: 'project.chatbot.missing', defaultMessage: 'Not available' });
  const nameOf = (id: ChatbotId | null) =>
    id === null ? ofOrganisation : (chatbots.find((one) => one.id === id)?.name ?? missing);
  const choose = (id: ChatbotId | null) => {
    change(id);
    save();
  };
  return (
    <div className={classes.field}>
      <InputBase
        component="select"
        label={t({ id: 'project.chatbot.label', defaultMessage: 'Default chatbot' })}
        value={value ?? ''}
        disabled={off !== null}
        rightSection={<ChevronDown />}
        rightSectionPointerEvents="none"
        onChange={(event) => choose((event.currentTarget.value || null) as ChatbotId | null)}
      >
        <option value="">{ofOrganisation}</option>
        {isMissing && value !== null ? <option value={value}>{missing}</option> : null}
        {chatbots
          .filter(({ isDefault }) => !isDefault)
          .map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
      </InputBase>
      {isMissing ? (
        <p className="p-meta">
          {t({
            id: 'project.chatbot.missingAbout',
            defaultMessage: 'You can’t use this chatbot any more. New chats begin with the organisation’s default.',
          })}
        </p>
      ) : null}
      <SavingNote saving={saving} shown={nameOf} onMine={save} onTheirs={drop} onAgain={save} />
    </div>
  );
}
