import type { Project } from '@parley/contracts';
import { BookOpen } from 'lucide-react';
import { LateTexts } from '../../../../lib/late-texts.tsx';
import { useText } from '../../../../lib/text.ts';
import { Card } from '../project-card.tsx';
import { useProjectConnections } from './use-project-connections.ts';
import { useProjectFiles } from './use-project-files.ts';
import classes from './knowledge.module.css';

/** The number of names that have room on the card. */
const shownFirst = 3;
type Props = { project: Project; onEdit: (() => void) | null };

/** Names the connections and files that answers in a project search. */
export const KnowledgeCard = (props: Props) => (
  <LateTexts part="knowledge">
    <Names {...props} />
  </LateTexts>
);

function Names({ project, onEdit }: Props) {
  const { t } = useText();
  const { chosen } = useProjectConnections(project);
  const { files } = useProjectFiles(project.id);
  const unseen = t({ id: 'knowledge.connections.unseen', defaultMessage: 'Unavailable data connection' });
  const all = [...chosen.map(({ id, name }) => ({ id, name: name ?? unseen })), ...files];
  const shown = all.length > shownFirst ? all.slice(0, shownFirst - 1) : all;
  return (
    <Card
      icon={BookOpen}
      title={t({ id: 'knowledge.section.title', defaultMessage: 'Files and knowledge' })}
      onEdit={onEdit}
      foot={
        all.length === 0
          ? null
          : t({ id: 'knowledge.card.foot', defaultMessage: 'Searched for answers in this project' })
      }
    >
      {all.length === 0 ? (
        <p className="p-sm p-quiet">
          {t({ id: 'knowledge.card.none', defaultMessage: 'None yet. Add what answers in this project can search.' })}
        </p>
      ) : (
        <ul className={classes.names}>
          {shown.map(({ id, name }) => (
            <li key={id}>
              <bdi>{name}</bdi>
            </li>
          ))}
          {shown.length < all.length ? (
            <li>
              {t(
                { id: 'knowledge.card.more', defaultMessage: '{count, plural, one {# more} other {# more}}' },
                { count: all.length - shown.length },
              )}
            </li>
          ) : null}
        </ul>
      )}
    </Card>
  );
}
