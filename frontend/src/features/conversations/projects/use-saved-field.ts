import type { Project } from '@parley/contracts';
import { useCallback, useEffect, useRef, useState } from 'react';
import { projectNow, useChangeProject, type ProjectFields } from '../state/projects.ts';

type Field = 'name' | 'instructions' | 'chatbotId';
export type Saving<Value> =
  | { readonly kind: 'idle' | 'saving' }
  | { readonly kind: 'saved'; readonly at: number }
  /** Another device saved first: `now` is its value. */
  | { readonly kind: 'conflict'; readonly now: Value }
  | { readonly kind: 'failed'; readonly error: unknown };

/**
 * Saves one field of a project separately, based on the project from when the person began to change the field. Keeps
 * unsaved text in the field: while it is typed, after a refusal, and after another device's change until the person
 * chooses.
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
        // If the person has typed meanwhile, that text is now based on the saved project.
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
    /** The text that isn't saved yet; null: there is none. */
    draft: draft && draft.value !== draft.base[field] ? draft : null,
    latest,
    saving,
    change,
    drop,
    save,
  };
}
