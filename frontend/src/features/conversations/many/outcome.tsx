import type { Conversation } from '@parley/contracts';
import { useCallback } from 'react';
import { isProblem } from '../../../lib/http.ts';
import { useProblemText } from '../../../lib/problem-texts.ts';
import { useText } from '../../../lib/text.ts';
import { cutName } from '../../../ui/cut-name.tsx';
import { useToast } from '../../../ui/toast.tsx';

/** A chat that wasn't changed, and why. */
export type Left = { readonly chat: Conversation; readonly error: unknown };
export type Outcome = { readonly done: readonly Conversation[]; readonly left: readonly Left[] };

/** Splits chats by whether the request for each succeeded or failed. */
export function outcomeOf(chats: readonly Conversation[], results: readonly PromiseSettledResult<unknown>[]): Outcome {
  const left = chats.flatMap((chat, at): Left[] => {
    const result = results[at];
    return result?.status === 'rejected' ? [{ chat, error: result.reason }] : [];
  });
  return { done: chats.filter((_chat, at) => results[at]?.status === 'fulfilled'), left };
}

type Told = {
  /** The result in one sentence; null if there is nothing to say. */
  readonly text: string | null;
  readonly left: readonly Left[];
  readonly undo?: (() => void) | undefined;
};

/**
 * Shows one toast about an action on many chats. It names chats that weren't changed and why, and has one Undo for all.
 * Returns the chats that weren't changed, without those that no longer exist.
 */
export function useTellOutcome(): (told: Told) => readonly Conversation[] {
  const { rich } = useText();
  const toast = useToast();
  const describe = useProblemText();
  return useCallback(
    ({ text, left, undo }) => {
      const [first, ...rest] = left;
      if (!first && text === null) return [];
      const stayed =
        first &&
        rich(
          {
            id: 'many.left.stayed',
            defaultMessage:
              '{rest, plural, =0 {“<name>{title}</name>” stayed as it was.} one {“<name>{title}</name>” and # other chat stayed as they were.} other {“<name>{title}</name>” and # other chats stayed as they were.}}',
          },
          { rest: rest.length as never, title: first.chat.title, name: cutName },
        );
      toast({
        text: (
          <>
            {text} {stayed} {first ? describe(first.error).text : null}
          </>
        ),
        ...(undo && { undo }),
      });
      return left.flatMap(({ chat, error }) => (isProblem(error, 'chat.conversation-not-found') ? [] : [chat]));
    },
    [rich, toast, describe],
  );
}
