import { addProjectFile, listProjectFiles, removeProjectFile } from '@parley/contracts';
import { feature } from '@parley/platform/service';
import { chatbotsFeature } from '../../assistants/chatbots/index.ts';
import { conversationsFeature, projectsFeature } from '../../conversations/index.ts';
import { ConnectionsModule } from '../connections/index.ts';
import { filesFeature } from '../files/index.ts';
import { NamedByProjects } from './named-by-projects.ts';
import { ProjectFiles } from './project-files.ts';
import { ProjectFilesService } from './project-files.service.ts';

export { ProjectFiles } from './project-files.ts';

/** Gives answers in a project its files, and the connections that it may name. */
export const projectKnowledgeFeature = feature({
  routes: { list: listProjectFiles, add: addProjectFile, remove: removeProjectFile },
  handlers: ProjectFilesService,
  imports: [conversationsFeature, projectsFeature, chatbotsFeature, ConnectionsModule, filesFeature],
  providers: [NamedByProjects, ProjectFiles],
  exports: [ProjectFiles],
});
