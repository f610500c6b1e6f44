' Removes what Install.vbs has put into this user's account. Manuscripts and their copies stay where they are.
' With /quiet it asks and tells nothing.
Option Explicit
Const NAME = "Manuscript"
Const LOCAL_APPDATA = 28, START_MENU = 2, TEMPORARY_FOLDER = 2
Dim shell, files, target, link

Set shell = CreateObject("WScript.Shell")
Set files = CreateObject("Scripting.FileSystemObject")
target = FolderOf(LOCAL_APPDATA) & "\Programs\" & NAME

If Not files.FileExists(target & "\lib\bin\manuscript.js") Then
  Tell "Manuscript is not installed."
  WScript.Quit 1
End If
If Not IsQuiet Then
  If MsgBox("Remove Manuscript? Your manuscripts stay.", vbOKCancel + vbQuestion, NAME) <> vbOK Then WScript.Quit 1
End If

StopIfRunning
link = FolderOf(START_MENU) & "\" & NAME & ".lnk"
If files.FileExists(link) Then files.DeleteFile link, True
RemoveFileType
RemoveKey "HKCU\Software\Microsoft\Windows\CurrentVersion\Uninstall\Manuscript"
RemoveFromPath target & "\bin"
RemoveProgram
Tell "Manuscript is removed. Your manuscripts are where they were."

Sub StopIfRunning
  ' A file of a running program cannot be deleted: then nothing else has been touched yet.
  On Error Resume Next
  If files.FileExists(target & "\lib\node.exe") Then files.DeleteFile target & "\lib\node.exe", True
  If Err.Number = 0 Then Exit Sub
  Tell "Manuscript is running: close it first."
  WScript.Quit 1
End Sub

Sub RemoveProgram
  On Error Resume Next
  shell.CurrentDirectory = files.GetSpecialFolder(TEMPORARY_FOLDER) ' a folder that a program is in cannot be deleted
  files.DeleteFolder target, True
  If Not files.FolderExists(target) Then Exit Sub
  Tell "This folder is in use and may be deleted by hand: " & target
  WScript.Quit 1
End Sub

Sub RemoveFileType
  Const CLASSES = "HKCU\Software\Classes\"
  RemoveKey CLASSES & "Manuscript.Document"
  If Registered(CLASSES & ".manuscript\") = "Manuscript.Document" Then RemoveKey CLASSES & ".manuscript"
End Sub

Sub RemoveFromPath(folder)
  Dim part, rest
  rest = ""
  For Each part In Split(Registered("HKCU\Environment\Path"), ";")
    If part <> "" And LCase(part) <> LCase(folder) Then rest = rest & ";" & part
  Next
  If rest = "" Then
    RemoveKey "HKCU\Environment /v Path"
  Else
    shell.RegWrite "HKCU\Environment\Path", Mid(rest, 2), "REG_EXPAND_SZ"
  End If
End Sub

Function Registered(key)
  Registered = ""
  On Error Resume Next
  Registered = shell.RegRead(key)
End Function

' With all that is below it, and without complaint if it is gone already.
Sub RemoveKey(key)
  shell.Run "reg.exe delete " & key & " /f", 0, True
End Sub

Function FolderOf(kind)
  FolderOf = CreateObject("Shell.Application").NameSpace(CInt(kind)).Self.Path
End Function

Sub Tell(message)
  If Not IsQuiet Then MsgBox message, vbInformation, NAME
End Sub

Function IsQuiet
  IsQuiet = False
  If WScript.Arguments.Count > 0 Then IsQuiet = (LCase(WScript.Arguments(0)) = "/quiet")
End Function
