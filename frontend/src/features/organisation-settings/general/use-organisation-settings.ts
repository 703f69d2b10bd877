import type { Organisation } from '@parley/contracts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, isProblem } from '../../../lib/http.ts';
import { resourceKey } from '../../../lib/query-keys.ts';
import { useTab } from '../../../lib/tab-organisation.tsx';

export type Settings = Pick<Organisation, 'name' | 'locale' | 'timeZone'>;
/** What is changed here, and of which version of the organisation. */
type Draft = { readonly version: number; readonly settings: Partial<Settings> };

/** What others change shows at once, but in the fields that are being changed here. */
export function useOrganisationSettings() {
  const client = useQueryClient();
  const { organisation } = useTab();
  const { id: orgId } = organisation;
  const [draft, setDraft] = useState<Draft | null>(null);
  const shown: Settings = { ...organisation, ...draft?.settings };
  const isChanged =
    shown.name.trim() !== organisation.name ||
    shown.locale !== organisation.locale ||
    shown.timeZone !== organisation.timeZone;
  const saving = useMutation({
    mutationFn: ({ version, settings: { name, ...others } }: Draft) =>
      api('PATCH /api/org/organisations/:orgId', {
        orgId,
        params: { orgId },
        body: { version, ...others, ...(name !== undefined && { name: name.trim() }) },
      }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: resourceKey('organisations', null) });
      setDraft(null);
    },
  });
  const { error } = saving;
  /** How it stands, where another admin was faster. */
  const won = isProblem(error, 'platform.conflict')
    ? ((error.problem.current as Organisation | undefined) ?? null)
    : null;
  return {
    shown,
    isChanged,
    saving,
    won,
    change(part: Partial<Settings>) {
      saving.reset();
      const version = won?.version ?? draft?.version ?? organisation.version;
      setDraft({ version, settings: { ...draft?.settings, ...part } });
    },
    save() {
      if (draft && isChanged && !saving.isPending) saving.mutate({ ...draft, version: won?.version ?? draft.version });
    },
    discard() {
      saving.reset();
      setDraft(null);
    },
  };
}
