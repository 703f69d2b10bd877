import { writeSettings } from './variables-table.spec-setup.ts';

writeSettings();
