import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import type { Project } from '@parley/contracts';
import { useEffect, useEffectEvent, useSyncExternalStore } from 'react';
import { useTab } from '../../../lib/tab-organisation.tsx';
import { useChangeProject, type ProjectFields } from '../state/projects.ts';
import { UnsavedField, type Field } from './unsaved-field.ts';

const known = new WeakMap<QueryClient, Map<string, unknown>>();

/** Returns the same `UnsavedField` each time a panel opens, until the page is reloaded. */
function fieldOf<Name extends Field>(client: QueryClient, owner: string, field: Name): UnsavedField<Name> {
  const fields = known.get(client) ?? new Map<string, unknown>();
  known.set(client, fields);
  const key = `${owner}.${field}`;
  const unsaved = (fields.get(key) as UnsavedField<Name> | undefined) ?? new UnsavedField(owner, field);
  fields.set(key, unsaved);
  return unsaved;
}

/**
 * Saves one field of a project separately. The save is based on the project from when the person began to change the
 * field. Keeps the value until it is saved: while it is typed, after a refusal, and in a conflict with another device
 * until the person decides. Closing the panel saves it if possible, and keeps it otherwise.
 */
export function useSavedField<Name extends Field>(
  project: Project,
  field: Name,
  isGood: (value: ProjectFields[Name]) => boolean = () => true,
) {
  type Value = ProjectFields[Name];
  const { me, organisation } = useTab();
  const owner = `parley.project.${me.id}.${organisation.id}.${project.id}`;
  const unsaved = fieldOf(useQueryClient(), owner, field);
  const { draft, saving } = useSyncExternalStore(unsaved.watch, unsaved.read);
  const change = useChangeProject();
  const write = (base: Project, value: Value) => change(base, { [field]: value } as Partial<ProjectFields>);
  const open = useEffectEvent(() => unsaved.open(project));
  const leave = useEffectEvent((left: UnsavedField<Name>) => {
    if (left.read().saving.kind !== 'conflict') void left.save({ write, isGood });
  });
  // Save when a key closes the panel: the field gets no blur event.
  useEffect(() => {
    open();
    return () => leave(unsaved);
  }, [unsaved]);
  return {
    value: draft ? draft.value : (project[field] as Value),
    /** True if there is a value that isn't saved yet. */
    isAhead: draft !== null && draft.value !== draft.base[field],
    saving,
    change: (value: Value) => unsaved.change(value, project),
    drop: () => unsaved.drop(),
    save: () => void unsaved.save({ write, isGood }),
  };
}
