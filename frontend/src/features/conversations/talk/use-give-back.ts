import type { ConversationId } from '@parley/contracts';
import { useCallback, useEffect, useRef } from 'react';
import type { GiveBack } from '../state/composing.ts';
import { useDrafts } from '../state/drafts-context.tsx';

/** Returns a function that puts a text before the text in the message field, and adds files to its files. */
export function useGiveBack(conversationId: ConversationId, text: string, setText: (text: string) => void): GiveBack {
  const drafts = useDrafts();
  const typed = useRef(text);
  useEffect(() => {
    typed.current = text;
  });
  return useCallback(
    (back, files = []) => {
      const put = (next: string) => {
        typed.current = next;
        setText(next);
      };
      put(typed.current === '' || back === '' ? back || typed.current : `${back}\n${typed.current}`);
      drafts.attachAll(conversationId, files);
      return () => {
        if (typed.current.startsWith(back)) put(typed.current.slice(back.length).replace(/^\n/, ''));
        for (const { id } of files) drafts.detach(conversationId, id);
      };
    },
    [drafts, conversationId, setText],
  );
}
