import type { ProjectId } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import type { chatBench } from './chat-bench.spec-setup.ts';
import type { Viewer } from '../conversations/index.ts';
import { newProject } from '../conversations/project.ts';
import { projectRows, type ProjectRow } from '../conversations/project.collection.ts';

type Bench = Pick<Awaited<ReturnType<typeof chatBench>>, 'mongo' | 'work' | 'clock'>;

/** The row of a project of this person, as it is given. */
export async function putProject(
  { mongo, work, clock }: Bench,
  { scope, principal }: Viewer,
  { name, ...more }: Pick<ProjectRow, 'name'> & Partial<ProjectRow>,
): Promise<ProjectId> {
  const id = newId('project');
  const row = newProject({ orgId: scope.orgId, ownerId: principal.userId, id, name }, clock.now());
  await work.run(principal, (tx) =>
    mongo
      .rows(projectRows)
      .within(scope, tx)
      .insert({ ...row, ...more }),
  );
  return id;
}
