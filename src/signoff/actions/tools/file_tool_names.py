"""How agents name the tools that read, write, edit and move files."""

from __future__ import annotations

from signoff.actions.vocabulary import words

READ_TOOLS = words(
    "Read NotebookRead View view ReadFile read_file view_file read_text_file read_media_file "
    "read_multiple_files read_many_files get_file_info cat_file open_file"
)
LIST_TOOLS = words(
    "Glob LS list_directory list_dir list_files directory_tree glob find_by_name "
    "list_directory_with_sizes file_search search_files list_allowed_directories"
)
SEARCH_TOOLS = words("Grep grep grep_search search_file_content codebase_search ripgrep")
WRITE_TOOLS = words(
    "Write write_file create_file WriteFile save_file write_to_file NotebookEdit "
    "create_directory make_directory append_file write_text_file"
)
EDIT_TOOLS = words(
    "Edit MultiEdit edit_file replace replace_in_file search_replace insert_edit_into_file "
    "multi_edit apply_diff str_replace edit_block"
)
PATCH_TOOLS = words("apply_patch ApplyPatch patch_file")
DELETE_TOOLS = words(
    "delete_file remove_file Delete DeleteFile delete_directory remove_directory delete_path "
    "trash_file"
)
MOVE_TOOLS = words(
    "move_file rename_file Move copy_file move_path copy_path rename_path copy_directory"
)
EDITOR_TOOLS = words("str_replace_based_edit_tool str_replace_editor text_editor edit_tool")
