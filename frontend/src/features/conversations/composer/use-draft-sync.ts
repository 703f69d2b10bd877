import type { ServerToClient } from '@parley/contracts';
import type { OrgId } from '@parley/protocol';
import { useCallback, useEffect } from 'react';
import { api } from '../../../lib/http.ts';
import { useLiveEvent } from '../../../lib/live.tsx';
import { useTab } from '../../../lib/tab-organisation.tsx';
import { DraftSync } from '../state/draft-sync.ts';
import type { Drafts, LocalDraft, Where } from '../state/drafts.ts';
import { useDrafts } from '../state/drafts-context.tsx';
import { usePendingSends } from '../state/pending-sends-context.tsx';
import type { PendingSends } from '../state/pending-sends.ts';

/** A browser sends at most 64 KiB for a page that is being closed, and a character takes up to three bytes. */
const mostWhileClosing = 20_000;
/** One sync per drafts object, so that all pages of the app share it. */
const syncs = new WeakMap<Drafts, DraftSync>();

/** Saves the draft of the open composer. Reads the draft when the composer opens and when the window gets the focus. */
export function useDraftSync(where: Where, draft: LocalDraft): void {
  const orgId = useTab().organisation.id;
  const drafts = useDrafts();
  const sends = usePendingSends();
  const sync = syncs.get(drafts) ?? newSync({ drafts, sends, orgId });
  syncs.set(drafts, sync);
  useEffect(() => {
    const look = () => void (document.hidden ? sync.save(where) : sync.refresh(where));
    look();
    sync.saveAll();
    window.addEventListener('focus', look);
    window.addEventListener('online', sync.saveAll);
    document.addEventListener('visibilitychange', look);
    return () => {
      window.removeEventListener('focus', look);
      window.removeEventListener('online', sync.saveAll);
      document.removeEventListener('visibilitychange', look);
      void sync.save(where);
    };
  }, [sync, where]);
  useEffect(() => {
    if (draft.writer !== null) sync.saveSoon(where);
  }, [sync, where, draft]);
  // Saves the drafts whenever a question is accepted or taken back, because that changes them.
  useEffect(() => sends.watch(sync.saveAll), [sends, sync]);
  useLiveEvent('connected', sync.saveAll);
  // Reads the draft again when the queue changes: questions below a deleted message return to the draft.
  const changed = useCallback<ServerToClient['resource.changed']>(
    ({ resources }) => {
      if (resources.includes('queue')) void sync.refresh(where);
    },
    [sync, where],
  );
  useLiveEvent('resource.changed', changed);
}

function newSync({ drafts, sends, orgId }: { drafts: Drafts; sends: PendingSends; orgId: OrgId }): DraftSync {
  return new DraftSync({
    drafts,
    isSending: (id) => sends.items.some(({ messageId }) => messageId === id),
    isBeginning: (where) =>
      sends.items.some(({ conversationId, parentId }) => conversationId === where && parentId === undefined),
    read: (where) => api('GET /api/chat/drafts/:where', { orgId, params: { where } }),
    save: (where, { text, revision, others, files, hasOtherFiles, writer }) => {
      const body = {
        text,
        revision,
        others: others.map((other) => other.text),
        // Sent only if the files changed: servers of 0.2.0 don't know the field.
        ...(hasOtherFiles && { files: files.map(({ id }) => id) }),
        ...(writer && { writer }),
      };
      const keepalive = document.hidden && JSON.stringify(body).length < mostWhileClosing;
      return api('PUT /api/chat/drafts/:where', { orgId, params: { where }, body, keepalive });
    },
  });
}
