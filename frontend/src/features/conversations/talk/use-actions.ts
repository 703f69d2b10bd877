import type { ConversationId, MessageId, ModelKey } from '@parley/contracts';
import { useEffect, useMemo, useRef } from 'react';
import { useAnswerCommands } from '../state/answer-commands.ts';
import type { Answerer } from '../state/answerer.ts';
import type { Editing, MessageActions } from '../state/message-actions.ts';
import type { OpenSource } from './exchange-chunk.tsx';
import type { useConversationStream } from '../state/conversation-stream.ts';
import { useMessageCommands } from '../state/message-commands.ts';

type Acting = {
  stream: ReturnType<typeof useConversationStream>;
  conversationId: ConversationId;
  onSource: (source: OpenSource) => void;
  onFile: MessageActions['openFile'];
  setEditing: (editing: Editing | null) => void;
  sendVersion: MessageActions['sendEdited'];
  pickModel: (model: ModelKey) => void;
  follow: (answerId: MessageId) => void;
  answerer: Answerer;
};

/**
 * Returns the actions of messages. The objects stay the same while the person types, so that no message renders again.
 */
export function useActions({
  stream,
  conversationId,
  onSource,
  onFile,
  setEditing,
  follow,
  answerer,
  ...later
}: Acting) {
  const { change, expect } = stream;
  const { askAgain, goOn, stop } = useAnswerCommands(conversationId, { change, expect, follow, answerer });
  const { showVersion, branch, remove } = useMessageCommands(conversationId, stream);
  const latest = useRef(later);
  useEffect(() => {
    latest.current = later;
  });
  const actions = useMemo<MessageActions>(
    () => ({
      askAgain,
      changeModel: (answer, model) => {
        latest.current.pickModel(model);
        askAgain(answer, { model });
      },
      goOn,
      showVersion,
      branch: (message, copies) => void branch(message, copies),
      remove: (message) => void remove(message),
      openSource: (message, number) => onSource({ messageId: message.id, number }),
      openFile: onFile,
      edit: (question) => setEditing(question && { id: question.id, text: question.text }),
      sendEdited: (question, text) => latest.current.sendVersion(question, text),
    }),
    [askAgain, goOn, showVersion, branch, remove, onSource, onFile, setEditing],
  );
  return { actions, stop };
}
