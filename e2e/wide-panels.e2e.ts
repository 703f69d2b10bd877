import { describePanels } from './panel-checks.ts';

describePanels('wide');
