import type { Project } from '@parley/contracts';
import { useCallback, useEffect, useRef, useState } from 'react';
import { projectNow, useChangeProject, type ProjectFields } from '../state/projects.ts';

type Field = 'name' | 'instructions' | 'chatbotId';
export type Saving<Value> =
  | { readonly kind: 'idle' | 'saving' }
  | { readonly kind: 'saved'; readonly at: number }
  /** Another device was faster: `now` is its saved value. */
  | { readonly kind: 'conflict'; readonly now: Value }
  | { readonly kind: 'failed'; readonly error: unknown };

/**
 * Saves one field of a project by itself, on top of the project from when the person began to change it. Unsaved text
 * stays in the field: while it is typed, after a refusal, and while another device's value waits for a choice.
 */
export function useSavedField<Name extends Field>(project: Project, field: Name) {
  type Value = ProjectFields[Name];
  const write = useChangeProject();
  const [draft, setDraft] = useState<{ readonly value: Value; readonly base: Project } | null>(null);
  const [saving, setSaving] = useState<Saving<Value>>({ kind: 'idle' });
  const latest = useRef(draft);
  useEffect(() => {
    latest.current = draft;
  }, [draft]);
  const change = (value: Value) => {
    setDraft((before) => ({ value, base: before?.base ?? project }));
    setSaving((before) => (before.kind === 'conflict' ? before : { kind: 'idle' }));
  };
  const drop = () => {
    setDraft(null);
    setSaving({ kind: 'idle' });
  };
  const save = useCallback(
    async (value: Value, base: Project) => {
      setSaving({ kind: 'saving' });
      try {
        const saved = await write(base, { [field]: value } as Partial<ProjectFields>);
        setSaving({ kind: 'saved', at: Date.now() });
        // A person who has typed meanwhile continues from the saved text.
        setDraft((now) => (!now || now.value === value ? null : { value: now.value, base: saved }));
      } catch (error) {
        const now = projectNow(error);
        setSaving(now ? { kind: 'conflict', now: now[field] as Value } : { kind: 'failed', error });
        if (now) setDraft((before) => before && { ...before, base: now });
      }
    },
    [write, field],
  );
  return {
    value: draft ? draft.value : (project[field] as Value),
    /** The text to save; null: nothing. */
    draft: draft && draft.value !== draft.base[field] ? draft : null,
    latest,
    saving,
    change,
    drop,
    save,
  };
}
