import { useRight } from '../../../lib/tab-organisation.tsx';
import { useText } from '../../../lib/text.ts';
import { ExportList } from './export-list.tsx';
import type { ImportId } from '@parley/contracts';
import { useSearchParams } from 'react-router-dom';
import { ImportSections } from '../imports/import-section.tsx';
import { ImportedChats } from '../imports/imported-chats.tsx';
import { Section } from '../parts/section.tsx';

/** What people take along of their own data in the tab's organisation. */
export function DataTab() {
  const { t } = useText();
  const mayImport = useRight('chat:create');
  const [search] = useSearchParams();
  const importId = search.get('import');
  if (mayImport && importId) return <ImportedChats key={importId} importId={importId as ImportId} />;
  return (
    <>
      {mayImport ? <ImportSections /> : null}
      <Section
        title={t({ id: 'settings.data.export.title', defaultMessage: 'Export' })}
        about={t({
          id: 'settings.data.export.about',
          defaultMessage:
            'All your chats and projects in this organisation, with branches and files, in one ZIP as JSON and Markdown.',
        })}
      >
        <ExportList />
      </Section>
    </>
  );
}
